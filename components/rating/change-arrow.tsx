/** The arrow between before and after; read as "to". */
export function ChangeArrow() {
  return (
    <span className="relative text-ink-3">
      <span aria-hidden>→</span>
      <span className="sr-only"> to </span>
    </span>
  )
}
