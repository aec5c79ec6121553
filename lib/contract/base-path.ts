/**
 * Where the whole application stands on its host. Everywhere in it an address is written as if it had the host for itself
 * (`/symbols`); what leaves it for a browser without passing the framework's router, and what comes from one, goes through
 * here. `base` is `/ratings`, or nothing.
 */
export const createBasePath = (base: string) => ({
  /** An address of ours as a browser asks for it: `/symbols?sort=n` → `/ratings/symbols?sort=n`, `/?q=a` → `/ratings?q=a`. */
  withBase: (address: string): string =>
    base === '' ? address : base + address.replace(/^\/(?=$|[?#])/, ''),

  /** The address of ours that a browser asked for, with all that follows the path; null where it is none of ours. */
  withoutBase(asked: string): string | null {
    if (base === '') return asked
    if (!asked.startsWith(base)) return null
    const rest = asked.slice(base.length)
    if (rest.startsWith('/')) return rest
    return rest === '' || /^[?#]/.test(rest) ? `/${rest}` : null
  },

  /**
   * The name of something that a browser keeps for the whole host, a cookie or a line of its storage: two dashboards on one
   * host keep theirs apart. No part of a path holds a `+`.
   */
  toKeptName: (name: string): string => name + base.replaceAll('/', '+'),
})

/** `/ratings`; nothing where the application has its host for itself. Written in by the build (next.config.mjs). */
export const BASE_PATH = (process.env.BASE_PATH ?? '').trim()

export const { withBase, withoutBase, toKeptName } = createBasePath(BASE_PATH)

/** The path within this dashboard, whether the framework has taken the base path off it or not. */
export const toOwnPath = (path: string): string => withoutBase(path) ?? path
