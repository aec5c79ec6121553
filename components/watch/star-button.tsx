'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import { isPageKey } from '#components/ui/keyboard-shortcuts.ts'
import { Star } from './star.tsx'
import { loadStarStore, useIsWatched } from './use-stars.ts'
import { toWatchedName, type Watched } from './watched.ts'

type StarButtonProps = {
  of: Watched
  isPage?: boolean
  className?: string
}

const FAILED = 'The star could not be saved: its script was not loaded. Try again.'

export function StarButton({ of, isPage = false, className }: StarButtonProps) {
  const isOn = useIsWatched(of)
  const [problem, setProblem] = useState<string | null>(null)
  const toggle = async () => {
    const store = await loadStarStore().catch(() => null)
    setProblem(store === null ? FAILED : store.toggleStar(of))
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!isPage || !isPageKey(event, 'w')) return
    event.preventDefault()
    void toggle()
  })
  useEffect(() => {
    if (!isPage) return
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [isPage])
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
        onClick={() => void toggle()}
      >
        <Star />
      </button>
      {problem !== null && (
        <span role="alert" className="star-problem">
          {problem}
        </span>
      )}
    </span>
  )
}
