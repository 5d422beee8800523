/**
 * Whether a request runs a statement for itself: which school answers is looked up once a second, in whichever request
 * comes then, and what requests leave as traces is stored every two seconds, whoever is asking meanwhile.
 */
export const isOfRequest = (text: string): boolean => !/from hosts|set last_seen_at|insert into usage_days/.test(text)
