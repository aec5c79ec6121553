/** How much of the frame the header takes, which stays. */
export const headHeight = (frame: Element): number =>
  frame.querySelector('thead')?.getBoundingClientRect().height ?? 0

/** Scrolls the table until a row is in sight, below the header, where it is not. */
export function revealRow(row: Element, frame: Element): void {
  const seen = frame.getBoundingClientRect()
  const { top, bottom } = row.getBoundingClientRect()
  const first = seen.top + headHeight(frame)
  const last = seen.top + frame.clientHeight
  if (top < first) frame.scrollTop -= first - top
  else if (bottom > last) frame.scrollTop += bottom - last
}
