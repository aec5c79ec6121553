/** `data-at`: seconds since 1970. */
export const INSTANT = 'time[datetime], td[data-at]'

export const toSeconds = (element: HTMLElement): number =>
  Number(element.dataset.at ?? Date.parse(element.getAttribute('datetime') ?? '') / 1000)
