/** `1 rating`, `2 ratings`: for sentences. */
export const countOf = (number: number, what: string) =>
  `${number} ${what}${number === 1 ? '' : 's'}`
