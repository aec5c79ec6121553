import { type ReactNode, useId } from 'react'
import { RuleNote } from './help-popover.tsx'

type JudgedCardProps = {
  title: string
  why: ReactNode
  figure: ReactNode
  detail: ReactNode
  children?: ReactNode
}

export function JudgedCard({ title, why, figure, detail, children }: JudgedCardProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-1 border-t py-3">
      <h3 className="flex items-center text-sm font-medium text-ink-3">
        <span id={id}>{title}</span>
        <RuleNote about={`${title.toLowerCase()}: why this number`}>{why}</RuleNote>
      </h3>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-xl font-semibold tracking-tight">{figure}</span>
        <span className="text-sm text-ink-3">{detail}</span>
      </p>
      {children}
    </section>
  )
}
