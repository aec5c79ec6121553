import type { CallRow, PlacedCall } from './calls-layout.ts'

/**
 * Where a key leads from a call (null: from nowhere): left and right along its symbol's row, up and down to the call of
 * the next row that begins nearest in time, Home and End within the row. Null where it is none of ours.
 */
export function pressCallKey(
  rows: readonly CallRow[],
  from: PlacedCall | null,
  key: string,
): PlacedCall | null {
  if (!KEYS.has(key)) return null
  const row = rows[from?.row ?? 0]?.calls ?? []
  if (from === null) return row.at(key === 'Home' ? 0 : -1) ?? null
  const index = row.findIndex(({ call }) => call.id === from.call.id)
  switch (key) {
    case 'ArrowLeft':
      return row[Math.max(0, index - 1)] ?? null
    case 'ArrowRight':
      return row[index + 1] ?? from
    case 'Home':
      return row.at(0) ?? null
    case 'End':
      return row.at(-1) ?? null
    default:
      return selectNearest(rows[from.row + (key === 'ArrowUp' ? -1 : 1)], from) ?? from
  }
}

const KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'])

function selectNearest(row: CallRow | undefined, { call }: PlacedCall): PlacedCall | null {
  const apart = (other: PlacedCall) => Math.abs(other.call.created_at - call.created_at)
  return (
    row?.calls.reduce((nearest, other) => (apart(other) < apart(nearest) ? other : nearest)) ?? null
  )
}
