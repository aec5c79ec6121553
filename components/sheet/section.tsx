import { type ReactNode, useId } from 'react'

type SectionProps = { title: string; detail?: ReactNode; as: 'h2' | 'h3'; children: ReactNode }

/** A part of what is known of a rating, with its heading. */
export function Section({ title, detail, as: Heading, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2 border-t pt-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <Heading id={id} className="text-base">
          {title}
        </Heading>
        {detail !== undefined && <div className="text-sm text-ink-3">{detail}</div>}
      </div>
      {children}
    </section>
  )
}
