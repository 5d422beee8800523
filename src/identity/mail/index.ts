export { createMailDelivery } from './deliver.ts'
export { dropWaitingMails, listMailsTo, parkedMails } from './queries.ts'
export { recordMail, recordSecretMail } from './record.ts'
export { createSend, type MailSettings } from './send.ts'
