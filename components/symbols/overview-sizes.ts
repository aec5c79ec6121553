/** A line of a list, as high as what it links must be to be met by a finger. */
export const LINE_PX = 24

/** Six lists in a row, which scrolls where there is no room for them. */
export const STRIP_CLASSES =
  'relative grid auto-cols-[minmax(11.5rem,1fr)] grid-flow-col overflow-x-auto overscroll-x-contain rounded-b-lg [scrollbar-width:thin] focus-visible:outline-offset-[-2px]'

export const LIST_CLASSES =
  'min-w-0 border-l px-3 pt-1.5 pb-2 first:border-l-0 first:pl-4 last:pr-4'
