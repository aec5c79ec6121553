/**
 * Says to a screen reader what has changed, and shows nothing. Keep it mounted and change `message`: a region that
 * appears together with its text is not read.
 */
export function LiveRegion({
  message,
  urgent = false,
}: {
  message: string
  /** Interrupts what is being read. */
  urgent?: boolean
}) {
  return (
    <div
      role={urgent ? 'alert' : 'status'}
      aria-live={urgent ? 'assertive' : 'polite'}
      aria-atomic="true"
      className="sr-only"
    >
      {message}
    </div>
  )
}
