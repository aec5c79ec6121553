import { formatCounted } from '#components/format/numbers.ts'
import type { ImportPlan } from './plan-import.ts'

/** What a file would bring, by name, before anything of it happens. */
export function ImportPreview({
  plan: { added, changed, same, leftOut, first },
}: {
  plan: ImportPlan
}) {
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
