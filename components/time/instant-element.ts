/** What a card may open on: a time, or a cell that says its instant in seconds since 1970. */
export const INSTANT = 'time[datetime], td[data-at]'

/** The instant of such an element. */
export const toSeconds = (element: HTMLElement): number =>
  Number(element.dataset.at ?? Date.parse(element.getAttribute('datetime') ?? '') / 1000)
