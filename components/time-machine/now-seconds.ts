/** Now by the reader's own clock: only where the server's was never heard. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)
