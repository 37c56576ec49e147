//! Connections: accepted, bounded, and ended in an orderly way.

#[cfg(test)]
mod attacks;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use cardiograph_checkup::release_memory;
use cardiograph_core::message;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::net::sockopt;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use crate::server::Server;
use crate::tls::Tls;
use crate::{retention, routes};

/// Connections at once: fifty viewers have two or three each.
const CONNECTIONS_MAX: usize = 512;
/// How long a request may take to name what it wants: slower ones hold connections.
const HEADER_MAX: Duration = Duration::from_secs(if cfg!(test) { 2 } else { 15 });
/// How long a reader may take nothing of what was sent to it.
const UNREAD_MAX: Duration = Duration::from_secs(60);
/// Bytes of a connection's buffer, which bounds the length of a request's head.
const BUFFER_LEN_BYTES: usize = 64 << 10;
/// How long answers may take after the end was asked for.
const END_MAX: Duration = Duration::from_secs(5);
/// How long shaking hands may take.
const HANDSHAKE_MAX: Duration = Duration::from_secs(10);
/// Time between two looks whether all is over.
const LOOK: Duration = Duration::from_millis(500);
/// Each how many looks the files of the certificate are looked at: ten seconds.
const CERTIFICATE_LOOKS: u64 = 20;
/// After how many looks without a request memory is released: five seconds.
const QUIET_LOOKS: u64 = 10;
/// Pause when the system refuses another connection, such as for want of descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// A bound socket.
pub struct Listener {
    socket: std::net::TcpListener,
    /// Where it listens: with the port that the system chose.
    pub address: SocketAddr,
    tls: Option<Arc<Tls>>,
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
        Ok(Self { socket, address, tls: None })
    }

    /// The same by TLS.
    #[must_use]
    pub fn with_tls(self, tls: Option<Tls>) -> Self {
        Self { tls: tls.map(Arc::new), ..self }
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

    /// Takes a renewed certificate.
    fn refresh(&self, server: &Server) {
        match self.tls.as_ref().map(|tls| tls.refresh()) {
            Some(Ok(true)) => server.say(&message!("serve-tls-renewed")),
            Some(Err(problem)) => server.say(&problem),
            Some(Ok(false)) | None => {}
        }
    }

    async fn accept(self, server: Arc<Server>, is_over: impl Fn() -> bool + Send) -> io::Result<()> {
        let listener = TcpListener::from_std(self.socket.try_clone()?)?;
        tokio::spawn(retention::keep(Arc::downgrade(&server)));
        let routes = routes::router(&server);
        let (end, ended) = watch::channel(());
        let connections = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        let mut look = tokio::time::interval(LOOK);
        let mut looks = 0_u64;
        let (mut answered, mut quiet_looks) = (0, 0);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = look.tick() => {
                    if is_over() { break }
                    looks += 1;
                    if looks.is_multiple_of(CERTIFICATE_LOOKS) {
                        self.refresh(&server);
                    }
                    let before = std::mem::replace(&mut answered, server.counts.answers());
                    quiet_looks = if answered == before { quiet_looks + 1 } else { 0 };
                    if quiet_looks == QUIET_LOOKS {
                        release_memory();
                    }
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
            let _ = sockopt::set_tcp_user_timeout(&stream, UNREAD_MAX.as_millis() as u32);
            let service = TowerToHyperService::new(routes.clone());
            let (tls, ended) = (self.tls.as_ref().map(|tls| tls.acceptor()), ended.clone());
            tokio::spawn(async move {
                match tls {
                    None => talk(stream, service, ended).await,
                    // Whoever speaks no TLS, or too slowly, is left.
                    Some(tls) => {
                        if let Ok(Ok(stream)) = tokio::time::timeout(HANDSHAKE_MAX, tls.accept(stream)).await
                        {
                            talk(stream, service, ended).await;
                        }
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

/// Answers the requests of a connection, until it ends or all do.
async fn talk(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    service: TowerToHyperService<Router>,
    mut ended: watch::Receiver<()>,
) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_MAX)
        .max_buf_size(BUFFER_LEN_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => {}
        _ = ended.changed() => {
            connection.as_mut().graceful_shutdown();
            let _ = tokio::time::timeout(END_MAX, connection).await;
        }
    }
}
