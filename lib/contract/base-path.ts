/**
 * Every address that bypasses the framework's router, in either direction, must be converted here.
 */
export const createBasePath = (base: string) => ({
  /** `/symbols?sort=n` → `/ratings/symbols?sort=n`, `/?q=a` → `/ratings?q=a`. */
  withBase: (address: string): string =>
    base === '' ? address : base + address.replace(/^\/(?=$|[?#])/, ''),

  withoutBase(asked: string): string | null {
    if (base === '') return asked
    if (!asked.startsWith(base)) return null
    const rest = asked.slice(base.length)
    if (rest.startsWith('/')) return rest
    return rest === '' || /^[?#]/.test(rest) ? `/${rest}` : null
  },

  /** Unique per dashboard on a host. Paths contain no `+`. */
  toKeptName: (name: string): string => name + base.replaceAll('/', '+'),
})

/** Inlined by the build (next.config.mjs). */
export const BASE_PATH = (process.env.BASE_PATH ?? '').trim()

export const { withBase, withoutBase, toKeptName } = createBasePath(BASE_PATH)

export const toOwnPath = (path: string): string => withoutBase(path) ?? path
