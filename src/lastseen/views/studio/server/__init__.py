"""HTTP and the socket: the application, access, connected pages and the page's files."""
