/** Whether events keep this page's status current, so that nobody needs to ask for it. Of the one page of a browser. */
export const liveState = { isStanding: false }
