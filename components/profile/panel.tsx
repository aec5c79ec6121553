import { type ReactNode, useId } from 'react'

type PanelProps = { title: string; action?: ReactNode; children: ReactNode }

/** A part of a page with its heading, and what leads on from it. */
export function Panel({ title, action, children }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2 pt-2">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}
