import { formatCount } from '#components/format/numbers.ts'
import {
  type SavedView,
  type SavedViews,
  selectFirst,
  VIEWS_MAX,
  withFirst,
  withView,
} from './saved-view.ts'
import { toFreeName } from './view-name.ts'
import { type LeftOut, readViewsText } from './views-text.ts'

/** What a file would bring: nothing of it has happened yet. */
export type ImportPlan = {
  added: SavedView[]
  /** Views that are here already under the same id and stand otherwise in the file. */
  changed: { before: SavedView; after: SavedView }[]
  /** How many are here just as they stand in the file. */
  same: number
  leftOut: LeftOut[]
  /** The id of the view that the page would open with from then on; null leaves that as it is. */
  first: string | null
}

export type PlannedImport = { ok: true; plan: ImportPlan } | { ok: false; problem: string }

/** What the text of a file would change in the views that are here, or why it is refused as a whole. */
export function planImport(text: string, mine: SavedViews): PlannedImport {
  const read = readViewsText(text)
  if (!read.ok) return { ok: false, problem: read.problem }
  const { views, first } = read.views
  if (views.length === 0) {
    const [one] = read.leftOut
    const problem = one ? `None of its views can be read. ${one.name}: ${one.problem}` : null
    return { ok: false, problem: problem ?? 'There is no view in it.' }
  }
  const known = new Set(mine.views.map(({ id }) => id))
  const total = known.size + views.filter(({ id }) => !known.has(id)).length
  if (total > VIEWS_MAX) {
    const count = formatCount(views.length)
    return { ok: false, problem: `It holds ${count} views; there is room for ${VIEWS_MAX} in all.` }
  }
  const plan: ImportPlan = { added: [], changed: [], same: 0, leftOut: read.leftOut, first: null }
  for (const view of views) sort(plan, view, mine.views)
  if (!selectFirst(mine) && views.some(({ id }) => id === first.id)) plan.first = first.id
  return { ok: true, plan }
}

function sort(plan: ImportPlan, { id, name, address }: SavedView, mine: readonly SavedView[]) {
  const before = mine.find((view) => view.id === id)
  const isSame = (view: SavedView) => view.name === name && view.address === address
  if (before ? isSame(before) : mine.some(isSame)) {
    plan.same += 1
    return
  }
  const others = [...mine, ...plan.added]
  const view = { id, name: toFreeName(name, others, id), address }
  if (before) plan.changed.push({ before, after: view })
  else plan.added.push(view)
}

/** The views after an import. */
export function withImport(mine: SavedViews, { added, changed, first }: ImportPlan): SavedViews {
  const views = [...changed.map(({ after }) => after), ...added]
  const all = views.reduce(withView, mine)
  return first === null ? all : withFirst(all, first)
}
