'use client'

import { useState } from 'react'
import type { Watched } from '#components/store/stored-state.ts'
import { classNames } from '#components/ui/class-names.ts'
import { usePageKey } from '#components/ui/keyboard-shortcuts.ts'
import { toggleStar, toWatchedName, useIsWatched } from './stars.ts'

type StarButtonProps = {
  of: Watched
  isPage?: boolean
  className?: string
}

export function StarButton({ of, isPage = false, className }: StarButtonProps) {
  const isOn = useIsWatched(of)
  const [problem, setProblem] = useState<string | null>(null)
  const toggle = () => setProblem(toggleStar(of))
  usePageKey(isPage ? 'w' : null, toggle)
  const name = `Watch ${toWatchedName(of)}`
  return (
    <span className={classNames('star-place', className)}>
      <button
        type="button"
        aria-label={name}
        aria-pressed={isOn}
        aria-keyshortcuts={isPage ? 'w' : undefined}
        title={isPage ? `${name} (W)` : name}
        className="icon-button star-button"
        onClick={toggle}
      >
        <StarIcon />
      </button>
      {problem !== null && (
        <span role="alert" className="star-problem">
          {problem}
        </span>
      )}
    </span>
  )
}

export const StarIcon = () => (
  <svg viewBox="0 0 16 16" className="star" aria-hidden>
    <path d="m8 1.9 1.85 3.95 4.3.5-3.2 2.95.87 4.25L8 11.4l-3.82 2.15.87-4.25-3.2-2.95 4.3-.5z" />
  </svg>
)
