/** Whether an `Accept` header names HTML, as that of browsers does. */
export const namesHtml = (accept: string | undefined): boolean =>
  /(?:^|[\s,])text\/html(?:$|[\s;,])/i.test(accept ?? '')
