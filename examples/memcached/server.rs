//! `Server`: a memcached of one's own, for the demonstration and for the tests.

use std::io::{self, ErrorKind, Read};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(20);

/// A memcached that runs for as long as this lives, on a free port of this machine.
#[derive(Debug)]
pub struct Server {
    child: Child,
    address: SocketAddr,
    /// Where it writes down its port; gone with the server.
    _directory: Directory,
}

impl Server {
    /// Starts a server, or returns `None` where the program `memcached` is not installed.
    ///
    /// # Errors
    ///
    /// Where it does not start, with what it says.
    pub fn start() -> io::Result<Option<Self>> {
        let directory = Directory::new()?;
        let port = directory.0.join("port");
        let mut command = Command::new("memcached");
        command.args(["-l", "127.0.0.1", "-p", "-1", "-U", "0", "-m", "128", "-t", "2"]);
        if directory.open_to_nobody()? {
            // It does not serve as root.
            command.args(["-u", "nobody"]);
        }
        command.env("MEMCACHED_PORT_FILENAME", &port);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        match listening(&mut child, &port) {
            Ok(port) => {
                let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
                Ok(Some(Server { child, address, _directory: directory }))
            }
            Err(error) => {
                end(&mut child);
                Err(error)
            }
        }
    }

    /// Returns where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends it at once, whatever it is doing.
    pub fn kill(&mut self) {
        end(&mut self.child);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Ends a child and waits until it has ended, so that it is no more than a memory.
fn end(child: &mut Child) {
    // Fails only for a child that has ended before.
    let _ = child.kill();
    let _ = child.wait();
}

/// Waits until the server has written down its port, which is when it listens there.
fn listening(child: &mut Child, file: &Path) -> io::Result<u16> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        // Renamed into place when it is complete: `TCP INET: 38803`.
        if let Ok(text) = fs::read_to_string(file) {
            let port = text.lines().find_map(|line| line.strip_prefix("TCP INET: ")?.parse().ok());
            return port.ok_or_else(|| io::Error::other(format!("memcached has no port: {text}")));
        }
        if let Some(status) = child.try_wait()? {
            let mut said = String::new();
            if let Some(stderr) = &mut child.stderr {
                stderr.read_to_string(&mut said)?;
            }
            let message = format!("memcached does not start ({status}): {}", said.trim());
            return Err(io::Error::other(message));
        }
        if Instant::now() > deadline {
            return Err(io::Error::new(ErrorKind::TimedOut, "memcached does not start"));
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// A directory of a server's own.
#[derive(Debug)]
struct Directory(PathBuf);

impl Directory {
    fn new() -> io::Result<Self> {
        let name = |n| format!("bp-memcached-{}-{n}", process::id());
        // Others of this process have theirs, and an earlier process may have left one.
        let mut paths = (0..1000).map(|n| env::temp_dir().join(name(n)));
        let path = paths.find_map(|path| match fs::create_dir(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => None,
            made => Some(made.map(|()| path)),
        });
        let path = path.ok_or_else(|| io::Error::from(ErrorKind::AlreadyExists))?;
        Ok(Directory(path?))
    }

    /// Lets everyone write here if this process is root, and says whether it is.
    #[cfg(unix)]
    fn open_to_nobody(&self) -> io::Result<bool> {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};

        let root = fs::metadata(&self.0)?.uid() == 0;
        if root {
            fs::set_permissions(&self.0, fs::Permissions::from_mode(0o1777))?;
        }
        Ok(root)
    }

    #[cfg(not(unix))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps)] // as on Unix
    fn open_to_nobody(&self) -> io::Result<bool> {
        Ok(false)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // A directory that stays behind harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}
