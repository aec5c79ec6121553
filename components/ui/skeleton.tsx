import type { CSSProperties } from 'react'
import { classNames } from './class-names.ts'

type SkeletonProps = {
  /** Any CSS length; a number is pixels. Left out, it fills what is around it. */
  width?: CSSProperties['width']
  /** Any CSS length; a number is pixels. 12 unless told: a line of text. */
  height?: CSSProperties['height']
  className?: string
}

/** Holds the place of what is still loading. Say `aria-busy` on what is around it. */
export function Skeleton({ width, height = 12, className }: SkeletonProps) {
  return (
    <span
      aria-hidden
      style={{ width, height }}
      className={classNames('block max-w-full animate-breathe rounded-sm bg-line', className)}
    />
  )
}
