import type { Leaves } from '#components/ui/table.tsx'

/** `leaves`: missing if the column never leaves. */
type LeavingColumn = { leaves?: Leaves | undefined; px: number }

const LEVELS: readonly Leaves[] = [5, 4, 3, 2, 1]
const STAYS = 6

const sumPx = (columns: readonly LeavingColumn[]) => columns.reduce((sum, { px }) => sum + px, 0)

/**
 * When each shown column leaves a narrow window: later where hidden or narrower columns make room,
 * earlier where wider columns take it. `all` have their default widths.
 */
export function toLeaves(
  all: readonly LeavingColumn[],
  shown: readonly LeavingColumn[],
): (Leaves | undefined)[] {
  const roomPx = (level: number) => sumPx(all.filter(({ leaves = STAYS }) => leaves >= level))
  return shown.map(({ leaves: usual }, place) => {
    if (usual === undefined) return undefined
    const neededPx = sumPx(
      shown.filter(
        ({ leaves = STAYS }, other) => leaves > usual || (leaves === usual && other <= place),
      ),
    )
    if (neededPx <= roomPx(STAYS)) return undefined
    return LEVELS.find((level) => neededPx <= roomPx(level)) ?? 1
  })
}

/** CSS pixels by custom property: what the columns need once those up to a level have left. */
export const toLeastWidths = (
  shown: readonly LeavingColumn[],
): Record<`--least-${number}`, string> =>
  Object.fromEntries(
    [0, ...LEVELS].map((level) => [
      `--least-${level}`,
      `${sumPx(shown.filter(({ leaves = STAYS }) => leaves > level))}px`,
    ]),
  )
