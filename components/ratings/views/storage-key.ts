/** Where a browser keeps the saved views. Asked before anything of them is loaded. */
export const VIEWS_KEY = 'bellwether.views'
