import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react'
import { classNames } from './class-names.ts'
import { useInBrowser } from './use-browser.ts'

type FoldProps = { title: ReactNode; children: ReactNode; className?: string; isOpen?: boolean }

export const Fold = ({ title, children, className, isOpen }: FoldProps) => (
  <details className={classNames('min-w-0', className)} open={isOpen}>
    <summary className="w-fit py-1 text-sm font-medium text-ink-3 hover:text-ink pointer-coarse:py-3">
      {title}
    </summary>
    {children}
  </details>
)

/** Mounts its content when first opened. */
export function FoldedPanel({ title, isOpen = false, children }: FoldProps) {
  const id = useId()
  const details = useRef<HTMLDetailsElement>(null)
  const [open] = useState(isOpen)
  const [wasOpened, setWasOpened] = useState(isOpen)
  const noteOpening = () => setWasOpened((before) => before || details.current?.open === true)
  // Catches an opening before hydration.
  useEffect(noteOpening, [])
  return (
    <section aria-labelledby={id} className="min-w-0 border-t pt-2">
      <details onToggle={noteOpening} open={open} ref={details}>
        <summary className="w-fit py-1 text-ink-2 hover:text-ink pointer-coarse:py-2.5">
          <h2 className="inline text-lg" id={id}>
            {title}
          </h2>
        </summary>
        {wasOpened ? (
          <div className="flex min-w-0 flex-col gap-2 pt-2">{children}</div>
        ) : (
          <noscript>This part needs scripts.</noscript>
        )}
      </details>
    </section>
  )
}

type ArrivingProps = { skeleton: ReactNode; children: ReactNode }

/** Without a boundary in the first document, which would show its part by a script. */
export function Arriving({ skeleton, children }: ArrivingProps) {
  const isInBrowser = useInBrowser()
  const [isClicked] = useState(isInBrowser)
  return isClicked ? <Suspense fallback={skeleton}>{children}</Suspense> : children
}
