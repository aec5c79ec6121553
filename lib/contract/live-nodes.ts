import type { Node } from './answers/status.ts'

/** Nodes report every five seconds. */
const SILENT_SECONDS = 30

type ReportTime = Pick<Node, 'seen_at'>

/** Relative to the latest report: neither clock skew nor an old list silences all nodes. */
export function selectLiveNodes<N extends ReportTime>(nodes: readonly N[]): N[] {
  const latest = Math.max(...nodes.map(({ seen_at }) => seen_at))
  return nodes.filter(({ seen_at }) => latest - seen_at <= SILENT_SECONDS)
}
