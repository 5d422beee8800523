/** The channel on which the numbering of facts names the school that has new ones. */
export const FACTS_CHANNEL = 'stoa_facts'

/** The kind of the job that distributes the facts of a school to its webhooks; its id is that of the school. */
export const DISTRIBUTION_JOB = 'distribution'
