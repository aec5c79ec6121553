'use client'

import Link from 'next/link'
import { useId } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { Button, buttonClasses } from '#components/ui/button.tsx'
import { CopyLink } from './copy-link.tsx'
import type { Way } from './select-steps.ts'
import type { Direction } from './use-steps.ts'

type SheetBarProps = {
  steps: { position: number | null; previous: Way; next: Way; total: number | null }
  onStep: (direction: Direction) => void
  onClose: () => void
  /** The rating's page. */
  href: string
}

/** Where the rating stands in the result, the steps to those beside it, its link, and the way out. */
export function SheetBar({ steps, onStep, onClose, href }: SheetBarProps) {
  const { formatCount } = useFormats()
  const { position, total } = steps
  return (
    <div className="flex flex-wrap items-center gap-x-1 border-b px-2 py-2 sm:px-3">
      <StepButton name="Previous rating" letter="K" way={steps.previous} onGo={() => onStep(-1)}>
        ↑
      </StepButton>
      <StepButton name="Next rating" letter="J" way={steps.next} onGo={() => onStep(1)}>
        ↓
      </StepButton>
      {position !== null && total !== null && (
        <span className="px-1 text-sm text-ink-3">
          {formatCount(position)} of {formatCount(total)}
        </span>
      )}
      <CopyLink href={href} className="ml-auto" />
      <Link
        href={href}
        prefetch={false}
        className={buttonClasses({ variant: 'quiet', size: 'small' })}
      >
        Open page
      </Link>
      <Button variant="quiet" size="small" aria-label="Close" title="Close (Esc)" onClick={onClose}>
        <span aria-hidden className="text-lg leading-none">
          ×
        </span>
      </Button>
      {position === null && (
        <p className="order-last basis-full px-1 pt-1.5 text-sm text-ink-3">
          Not on this page of the result.
        </p>
      )}
    </div>
  )
}

type StepButtonProps = {
  name: string
  letter: string
  way: Way
  onGo: () => void
  children: string
}

/** It stays in the order of the keyboard at the very ends, where it says why there is no step. */
function StepButton({ name, letter, way, onGo, children }: StepButtonProps) {
  const id = useId()
  const why = way.kind === 'none' ? way.why : null
  return (
    <>
      <Button
        size="small"
        aria-label={name}
        aria-keyshortcuts={letter}
        aria-disabled={why !== null}
        aria-describedby={why === null ? undefined : id}
        title={why ?? `${name} (${letter})`}
        onClick={onGo}
      >
        <span aria-hidden>{children}</span>
      </Button>
      {why !== null && (
        <span id={id} className="sr-only">
          {why}
        </span>
      )}
    </>
  )
}
