//! Connections: accepted, bounded, and ended in an orderly way.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use crate::routes;
use crate::server::Server;

/// Connections at once: fifty viewers have two or three each.
const CONNECTIONS_MAX: usize = 512;
/// How long a request may take to name what it wants: slower ones hold connections.
const HEADER_MAX: Duration = Duration::from_secs(15);
/// Bytes of a connection's buffer, which bounds the length of a request's head.
const BUFFER_LEN_BYTES: usize = 64 << 10;
/// How long answers may take after the end was asked for.
const END_MAX: Duration = Duration::from_secs(5);
/// Pause when the system refuses another connection, such as for want of descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// A bound socket.
#[derive(Debug)]
pub struct Listener {
    socket: std::net::TcpListener,
    /// Where it listens: with the port that the system chose.
    pub address: SocketAddr,
}

impl Listener {
    /// Binds the address.
    ///
    /// # Errors
    /// When the system refuses: the address is in use or not one of this host.
    pub fn bind(address: SocketAddr) -> io::Result<Self> {
        let socket = std::net::TcpListener::bind(address)?;
        socket.set_nonblocking(true)?;
        let address = socket.local_addr()?;
        Ok(Self { socket, address })
    }

    /// Serves until `is_over` holds, then lets answers end.
    ///
    /// # Errors
    /// When the system refuses threads.
    pub fn serve(self, server: &Arc<Server>, is_over: impl Fn() -> bool + Send + 'static) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_io()
            .enable_time()
            .build()?;
        runtime.block_on(self.accept(server.clone(), is_over))?;
        // Checkups end here, on threads that may wait.
        server.stop();
        runtime.shutdown_timeout(END_MAX);
        Ok(())
    }

    async fn accept(self, server: Arc<Server>, is_over: impl Fn() -> bool + Send) -> io::Result<()> {
        let listener = TcpListener::from_std(self.socket)?;
        let routes = routes::router(&server);
        let (end, ended) = watch::channel(());
        let connections = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        let mut look = tokio::time::interval(Duration::from_millis(200));
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = look.tick() => {
                    if is_over() { break }
                    continue
                }
            };
            let Ok((stream, _)) = accepted else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            // Beyond the bound, it is closed at once.
            let Ok(turn) = connections.clone().try_acquire_owned() else { continue };
            let _ = stream.set_nodelay(true);
            let service = TowerToHyperService::new(routes.clone());
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_MAX)
                .max_buf_size(BUFFER_LEN_BYTES)
                .serve_connection(TokioIo::new(stream), service);
            let mut ended = ended.clone();
            tokio::spawn(async move {
                let mut connection = std::pin::pin!(connection);
                tokio::select! {
                    _ = connection.as_mut() => {}
                    _ = ended.changed() => {
                        connection.as_mut().graceful_shutdown();
                        let _ = tokio::time::timeout(END_MAX, connection).await;
                    }
                }
                drop(turn);
            });
        }
        let _ = end.send(());
        // Those that are idle have ended; streams of events never would.
        let _ = tokio::time::timeout(END_MAX, connections.acquire_many(CONNECTIONS_MAX as u32)).await;
        Ok(())
    }
}
