import 'server-only'
/**
 * One value a process. Next bundles a module for each group of routes that imports it, each with state of its own; only what
 * hangs off `globalThis` is shared.
 */
export function once<T>(name: string, create: () => T): T {
  const kept = selectOnce<T>(name)
  if (kept !== undefined) return kept
  const created = create()
  registry()[toKey(name)] = created
  return created
}

/** The same where another bundle has made it; undefined where none has. */
export const selectOnce = <T>(name: string): T | undefined =>
  registry()[toKey(name)] as T | undefined

const registry = () => globalThis as unknown as Record<symbol, unknown>
const toKey = (name: string) => Symbol.for(`bellwether.${name}`)
