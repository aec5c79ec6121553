// Stands in for `server-only` under vitest, which is neither a server nor a client bundle.
export {}
