//! What all connections of this program have in common.
//!
//! The cryptography, the certificates of the system, who says to be asking, and proxies: taken from the environment by
//! the HTTP library, but for hosts on this machine, which are asked directly. Nothing is repeated behind the caller's
//! back.

use std::net::IpAddr;

use reqwest::{Client, ClientBuilder, Url};

/// What sort of client a url needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sort {
    /// On this machine: no proxy.
    pub(crate) near: bool,
    /// Cannot do without certificates.
    pub(crate) secure: bool,
}

impl Sort {
    /// The sort of a url.
    pub(crate) fn of(url: &Url) -> Self {
        Self {
            near: is_near(url),
            secure: url.scheme() == "https",
        }
    }
}

/// A client for urls of a sort, with what the caller adds.
///
/// # Errors
/// When this machine cannot make such connections, as without certificates.
pub(crate) fn connect(
    sort: Sort,
    with: impl Fn(ClientBuilder) -> ClientBuilder,
) -> Result<Client, reqwest::Error> {
    // Whoever was faster installed the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = || {
        let builder = Client::builder()
            .user_agent(user_agent())
            .retry(reqwest::retry::never())
            .referer(false);
        with(if sort.near {
            builder.no_proxy()
        } else {
            builder
        })
    };
    match builder().build() {
        // A machine without certificates can still be asked, and ask, for what needs none.
        Err(_) if !sort.secure => builder().tls_certs_only([]).build(),
        built => built,
    }
}

/// What a failed request says of itself, at the bottom of it: no url is named there.
pub(crate) fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(below) = cause.source() {
        cause = below;
    }
    cause.to_string()
}

/// Says who asks, so that whoever runs the server can complain.
fn user_agent() -> String {
    let name = concat!("tribunal/", env!("CARGO_PKG_VERSION"));
    match env!("CARGO_PKG_REPOSITORY") {
        "" => name.to_owned(),
        repository => format!("{name} (+{repository})"),
    }
}

/// Whether a url leads to this machine.
fn is_near(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_several_names() {
        let near = |url: &str| is_near(&Url::parse(url).unwrap());
        for url in [
            "http://localhost:8080/x",
            "http://127.0.0.1/x",
            "http://127.1.2.3/x",
            "http://[::1]:9/x",
        ] {
            assert!(near(url), "{url}");
        }
        for url in [
            "https://www.gutenberg.org/",
            "http://10.0.0.1/",
            "http://localhost.example/",
        ] {
            assert!(!near(url), "{url}");
        }
    }
}
