'use client'

import { useFormats } from '#components/format/use-formats.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { ProgressBar } from '#components/ui/progress-bar.tsx'
import type { Progress } from '#lib/contract/answers/status.ts'
import { selectStages } from './filling-stages.ts'
import { describePace, describeProgress, describeStep } from './progress-text.ts'

/** How far the first filling is: the stage of all stages, how far that is, how fast, and how long it still takes. */
export function FillingProgress({ progress }: { progress: Progress }) {
  const formats = useFormats()
  const { stages, current } = selectStages(progress.step)
  return (
    <div className="mx-auto mt-4 flex w-96 max-w-full flex-col gap-2 text-left">
      <ol aria-label="Steps" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {stages.map(({ name }, place) => (
          <li
            key={name}
            aria-current={place === current ? 'step' : undefined}
            className={classNames('flex items-baseline gap-1.5', place > current && 'text-ink-3')}
          >
            <span aria-hidden className="text-ink-3">
              {place < current ? '✓' : place + 1}
            </span>
            <span className={classNames(place === current && 'font-medium text-ink')}>{name}</span>
            {place < current && <span className="sr-only">done</span>}
          </li>
        ))}
      </ol>
      <ProgressBar
        label={describeStep(progress)}
        done={progress.done}
        total={progress.total}
        detail={describeProgress(progress, formats)}
      />
      {/* Always there, so that nothing moves once it can be said. */}
      <p className="min-h-[1lh] text-sm text-ink-3">{describePace(progress, formats)}</p>
    </div>
  )
}
