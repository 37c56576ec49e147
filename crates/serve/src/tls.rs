//! TLS: the server's certificate, read again when its files change.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cardiograph_core::{Message, message};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Where a certificate and its key are, as PEM.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// The certificate, and those that lead to its root.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// By what a change of a file shows: device, inode, length and when it changed, in nanoseconds.
type Stamp = [(u64, u64, u64, i64, i64); 2];

/// A certificate that is in use.
pub struct Tls {
    files: TlsFiles,
    current: Mutex<Current>,
}

struct Current {
    stamp: Stamp,
    config: Arc<ServerConfig>,
}

impl Tls {
    /// Reads the files.
    ///
    /// # Errors
    /// When one cannot be read, or the key is another's.
    pub fn open(files: TlsFiles) -> Result<Self, Message> {
        let stamp = stamp(&files)?;
        let config = Arc::new(read(&files)?);
        Ok(Self { files, current: Mutex::new(Current { stamp, config }) })
    }

    fn lock(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the files again if they have changed; `false` if not. What is wrong with them is said once, and the earlier
    /// certificate stays in use: whoever renews one may have written half of it.
    ///
    /// # Errors
    /// As [`Tls::open`].
    pub fn refresh(&self) -> Result<bool, Message> {
        let found = stamp(&self.files)?;
        if std::mem::replace(&mut self.lock().stamp, found) == found {
            return Ok(false);
        }
        let config = Arc::new(read(&self.files)?);
        self.lock().config = config;
        Ok(true)
    }

    /// Shakes hands with the current certificate.
    pub fn acceptor(&self) -> TlsAcceptor {
        self.lock().config.clone().into()
    }
}

fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> Message {
    message!("serve-tls-unreadable", path, error = error.to_string())
}

fn stamp(files: &TlsFiles) -> Result<Stamp, Message> {
    let of = |path: &Path| {
        let found = path.metadata().map_err(|error: io::Error| unreadable(path, &error))?;
        Ok::<_, Message>((found.dev(), found.ino(), found.len(), found.ctime(), found.ctime_nsec()))
    };
    Ok([of(&files.certificate)?, of(&files.key)?])
}

fn read(TlsFiles { certificate, key }: &TlsFiles) -> Result<ServerConfig, Message> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect);
    let chain = chain.map_err(|error| unreadable(certificate, &error))?;
    if chain.is_empty() {
        return Err(message!("serve-tls-empty", path = certificate));
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| unreadable(key, &error))?;
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().expect("ring has all versions");
    let config = builder.with_no_client_auth().with_single_cert(chain, secret);
    let mut config =
        config.map_err(|error| message!("serve-tls-unfit", certificate, key, error = error.to_string()))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

#[cfg(test)]
mod tests {
    use cardiograph_testing::team::certificate;

    use super::*;

    /// Makes a certificate for a name with openssl.
    #[test]
    fn a_renewed_certificate_is_taken_and_a_broken_one_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path();
        if let Err(why) = certificate(place, "DNS:one") {
            return cardiograph_testing::skip("TLS of a server", &why);
        }
        let files = TlsFiles { certificate: place.join("cert.pem"), key: place.join("key.pem") };
        let tls = Tls::open(files.clone()).ok().unwrap();
        let first = tls.lock().config.clone();
        assert_eq!(tls.refresh(), Ok(false));
        // Half of it is there: said once, and the earlier one stays.
        std::fs::write(&files.certificate, "").unwrap();
        assert_eq!(tls.refresh().unwrap_err().id(), "serve-tls-empty");
        assert_eq!(tls.refresh(), Ok(false));
        assert!(Arc::ptr_eq(&first, &tls.lock().config));
        certificate(place, "DNS:two").unwrap();
        assert_eq!(tls.refresh(), Ok(true));
        assert!(!Arc::ptr_eq(&first, &tls.lock().config));
        let other = tempfile::tempdir().unwrap();
        certificate(other.path(), "DNS:three").unwrap();
        let unfit = TlsFiles { key: other.path().join("key.pem"), ..files.clone() };
        assert_eq!(Tls::open(unfit).err().unwrap().id(), "serve-tls-unfit");
        let missing = TlsFiles { key: place.join("none"), ..files };
        assert_eq!(Tls::open(missing).err().unwrap().id(), "serve-tls-unreadable");
    }
}
