//! `Clear`: one field back to blank, keeping its memory.
