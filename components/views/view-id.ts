const BYTES = 8

/** A new id. Without HTTPS a browser has no `randomUUID`, and a dashboard in a local network is reached so. */
export function createViewId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
