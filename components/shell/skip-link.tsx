/** The first stop of the Tab key: past the header, to what the page is about. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-ink px-3 py-2 font-medium text-surface focus:translate-y-0"
    >
      Skip to content
    </a>
  )
}
