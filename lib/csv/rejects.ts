import type { Reject } from './csv-error.ts'

type FileReject = Reject & { file: string }

export type Rejects = {
  total: number
  reasons: { reason: string; rows: number }[]
  kept: FileReject[]
}

const KEPT_MAX = 10_000
const REASONS_MAX = 100
const OTHER = 'has another problem'
const EXAMPLES_MAX = 20

export const NO_REJECTS: Rejects = { total: 0, reasons: [], kept: [] }

export function createRejects() {
  const counts = new Map<string, number>()
  const kept: FileReject[] = []
  let total = 0
  const count = (reason: string, rows: number) => {
    const name = counts.has(reason) || counts.size < REASONS_MAX ? reason : OTHER
    counts.set(name, (counts.get(name) ?? 0) + rows)
    total += rows
  }
  return {
    add(file: string, rejected: readonly Reject[]): void {
      for (const reject of rejected) {
        count(reject.reason, 1)
        if (kept.length < KEPT_MAX) kept.push({ file, ...reject })
      }
    },
    addAll(rejects: Rejects): void {
      for (const { reason, rows } of rejects.reasons) count(reason, rows)
      kept.push(...rejects.kept.slice(0, KEPT_MAX - kept.length))
    },
    read(): Rejects {
      const sorted = [...counts].sort(([, a], [, b]) => b - a)
      return { total, reasons: sorted.map(([reason, rows]) => ({ reason, rows })), kept }
    },
  }
}

export const toRejectedLines = ({ total, reasons, kept }: Rejects) => ({
  set_aside: total,
  reasons,
  examples: kept.slice(0, EXAMPLES_MAX),
})
