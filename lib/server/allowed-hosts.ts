import 'server-only'

const PORT = /:\d+$/

/** Whether a request's `Host` is one that this process is served under; any is where `allowed` is null. */
export function isAllowedHost(allowed: readonly string[] | null, host: string | null): boolean {
  if (allowed === null) return true
  return host !== null && allowed.includes(host.toLowerCase().replace(PORT, ''))
}
