import 'server-only'
/**
 * One value a process. Next bundles a module up to four times (instrumentation, route handlers, Pages API, pages), each
 * with state of its own; only what hangs off `globalThis` is shared.
 */
export function once<T>(name: string, create: () => T): T {
  const registry = globalThis as unknown as Record<symbol, T | undefined>
  const key = Symbol.for(`bellwether.${name}`)
  const kept = registry[key]
  if (kept !== undefined) return kept
  const created = create()
  registry[key] = created
  return created
}
