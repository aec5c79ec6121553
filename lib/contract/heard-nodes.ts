import type { Node } from './answers/status.ts'

/** Nodes report every five seconds. */
const SILENT_SECONDS = 30

type Seen = Pick<Node, 'seen_at'>

/**
 * Compares with the latest report, not the local clock, so that neither skew nor an old list makes
 * all nodes silent.
 */
export function selectHeard<N extends Seen>(nodes: readonly N[]): N[] {
  const latest = Math.max(...nodes.map(({ seen_at }) => seen_at))
  return nodes.filter(({ seen_at }) => latest - seen_at <= SILENT_SECONDS)
}
