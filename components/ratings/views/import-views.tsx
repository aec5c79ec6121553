'use client'

import { type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { Button, buttonClasses } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { starStore } from '#components/watch/star-store.ts'
import { hasRoom, isWatched, NO_STARS, type Stars, withStar } from '#components/watch/stars.ts'
import { toWatchedName, type Watched } from '#components/watch/watched.ts'
import {
  type SavedView,
  type SavedViews,
  selectFirst,
  toFreeName,
  VIEWS_MAX,
  withFirst,
  withView,
} from './saved-view.ts'
import type { Views } from './use-views.ts'
import { viewsStore } from './views-store.ts'
import { type LeftOut, readViewsText, TEXT_MAX_LENGTH } from './views-text.ts'

type ImportViewsProps = {
  views: Views
  /** The text of a file that was dropped. */
  given: string | null
  /** Called when nothing is left to do, with what was done. */
  onDone: (message: string) => void
}

/** Takes a file, chosen, dropped or pasted, and shows what it would bring before anything of it happens. */
export function ImportViews({ views, given, onDone }: ImportViewsProps) {
  const id = useId()
  const [entered, setText] = useState<{ over: string | null; text: string }>({
    over: null,
    text: '',
  })
  const section = useRef<HTMLElement>(null)
  // What was dropped last counts until something else is entered.
  const text = entered.over === given ? entered.text : (given ?? '')
  const enter = (next: string) => setText({ over: given, text: next })
  const planned =
    text.trim() === '' ? null : planImport(text, viewsStore.load().saved, starStore.load().saved)
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' })
    section.current?.querySelector('input')?.focus()
  }, [])
  return (
    <section
      ref={section}
      aria-label="Import views"
      className="flex flex-col gap-2.5 rounded-lg border bg-surface p-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        <label
          className={buttonClasses(
            {},
            'relative has-focus-visible:outline-2 has-focus-visible:outline-accent',
          )}
        >
          Choose a file
          <input
            type="file"
            accept=".json,application/json"
            className="sr-only"
            onChange={async ({ target }) => {
              const [file] = target.files ?? []
              if (file) enter(await readFileText(file))
              target.value = ''
            }}
          />
        </label>
        <span className="text-ink-3">or drop it here, or paste its text:</span>
      </div>
      <textarea
        aria-label="Text of the file"
        aria-describedby={planned?.ok === false ? `${id}problem` : undefined}
        aria-invalid={planned?.ok === false || undefined}
        rows={3}
        spellCheck={false}
        value={text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text}
        onChange={({ target }) => enter(target.value)}
        className="w-full rounded-md border border-line-2 bg-surface p-2 font-mono text-xs text-ink hover:border-edge aria-invalid:border-rating-text-1"
      />
      {planned?.ok === false && (
        <div id={`${id}problem`}>
          <Notice tone="failure" title="Nothing was imported">
            {planned.problem} Your views are untouched.
          </Notice>
        </div>
      )}
      {planned?.ok && <ImportPreview plan={planned.plan} />}
      <div className="flex gap-2">
        {planned?.ok && (
          <ImportButton
            what={toImportText(planned.plan)}
            onImport={(what) => {
              views.change((all) => withImport(all, planned.plan))
              starStore.change((all) => planned.plan.stars.reduce(withStar, all))
              onDone(`${what} imported`)
            }}
          />
        )}
        <Button variant="quiet" onClick={() => onDone('')}>
          Cancel
        </Button>
      </div>
    </section>
  )
}

/** A text of any length would be laid out line by line. */
const SHOWN_MAX = 20_000

type ImportButtonProps = { what: string; onImport: (what: string) => void }

const ImportButton = ({ what, onImport }: ImportButtonProps) => (
  <Button variant="solid" disabled={what === ''} onClick={() => onImport(what)}>
    {what === '' ? 'Nothing to import' : `Import ${what}`}
  </Button>
)

/** What is to come, counted: `2 views and 1 star`; '' for nothing. */
function toImportText({ added, changed, stars }: ImportPlan): string {
  const views = added.length + changed.length
  return [
    ...(views > 0 ? [formatCounted(views, 'view')] : []),
    ...(stars.length > 0 ? [formatCounted(stars.length, 'star')] : []),
  ].join(' and ')
}

/** What a file would bring, by name, before anything of it happens. */
function ImportPreview({ plan }: { plan: ImportPlan }) {
  const { added, changed, same, leftOut, first, stars, hasTooMany } = plan
  const start = [...added, ...changed.map(({ after }) => after)].find(({ id }) => id === first)
  return (
    <div role="status" className="flex flex-col gap-1">
      <p className="font-semibold">
        {formatCounted(added.length, 'new view')}, {changed.length} changed, {same} already here
      </p>
      <Named what="New" names={added.map(({ name }) => name)} />
      <Named
        what="Changed"
        names={changed.map(({ before, after }) =>
          before.name === after.name ? after.name : `${before.name}, now ${after.name}`,
        )}
      />
      <Named what="Left out" names={leftOut.map(({ name, problem }) => `${name} (${problem})`)} />
      <Named what="Watched from then on" names={stars.map(toWatchedName)} />
      {hasTooMany && <p className="text-ink-2">Not every star of the file has room.</p>}
      {start && <p className="text-ink-2">The page would open with {start.name}.</p>}
    </div>
  )
}

function Named({ what, names }: { what: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <p className="text-ink-2 wrap-anywhere">
      {what}: {names.slice(0, NAMED_MAX).join(' · ')}
      {names.length > NAMED_MAX && ` and ${names.length - NAMED_MAX} more`}
    </p>
  )
}

const NAMED_MAX = 12

/** What a file would bring: nothing of it has happened yet. */
type ImportPlan = {
  added: SavedView[]
  /** Views that are here already under the same id and stand otherwise in the file. */
  changed: { before: SavedView; after: SavedView }[]
  /** How many are here just as they stand in the file. */
  same: number
  leftOut: LeftOut[]
  /** The id of the view that the page would open with from then on; null leaves that as it is. */
  first: string | null
  /** What would be watched from then on, views by the ids that they have here; whether some had no room. */
  stars: Watched[]
  hasTooMany: boolean
}

export type PlannedImport = { ok: true; plan: ImportPlan } | { ok: false; problem: string }

/** What the text of a file would change in the views that are here, or why it is refused as a whole. */
export function planImport(text: string, mine: SavedViews, stars = NO_STARS): PlannedImport {
  const read = readViewsText(text)
  if (!read.ok) return { ok: false, problem: read.problem }
  const { views, first } = read.views
  if (views.length === 0 && read.watched.length === 0) {
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
  const plan: ImportPlan = {
    ...{ added: [], changed: [], same: 0, leftOut: read.leftOut, first: null },
    ...{ stars: [], hasTooMany: false },
  }
  for (const view of views) sort(plan, view, mine.views)
  planStars(plan, read.watched, { mine, views, stars })
  if (!selectFirst(mine) && views.some(({ id }) => id === first.id)) plan.first = first.id
  return { ok: true, plan }
}

type Starred = { mine: SavedViews; views: readonly SavedView[]; stars: Stars }

/** A view that is here under another id has its star under that; a star of a view that is nowhere is none. */
function planStars(plan: ImportPlan, watched: readonly Watched[], { mine, views, stars }: Starred) {
  let after = stars
  for (const given of watched) {
    const one = given.kind === 'view' ? toOwnView(given, mine.views, views) : given
    if (one === null || isWatched(after, one)) continue
    if (hasRoom(after, one.kind)) plan.stars.push(one)
    else plan.hasTooMany = true
    after = withStar(after, one)
  }
}

function toOwnView(
  given: Watched,
  mine: readonly SavedView[],
  views: readonly SavedView[],
): Watched | null {
  const view = [...views, ...mine].find(({ id }) => id === given.key)
  if (!view) return null
  const isHere = mine.some(({ id }) => id === view.id)
  const twin = mine.find(({ name, address }) => name === view.name && address === view.address)
  const { id, name } = (!isHere && twin) || view
  return { kind: 'view', key: id, name }
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

/** A file or text that is dropped on something, as text; null before that. `onDrop` is called when one comes. */
export function useDropped(onDrop: () => void) {
  const [text, setText] = useState<string | null>(null)
  const isForUs = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  return {
    text,
    forget: () => setText(null),
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (isForUs(event)) event.preventDefault()
      },
      onDrop: (event: DragEvent) => {
        const [file] = event.dataTransfer.files
        if (!isForUs(event) || !file) return
        event.preventDefault()
        onDrop()
        void readFileText(file).then(setText)
      },
    },
  }
}

/**
 * The text of a file. Of one that is too long for a list of views just so much is read that whoever reads it finds
 * that out; one that cannot be read is an empty text.
 */
async function readFileText(file: Blob): Promise<string> {
  try {
    return await file.slice(0, 4 * (TEXT_MAX_LENGTH + 1)).text()
  } catch {
    return ''
  }
}
