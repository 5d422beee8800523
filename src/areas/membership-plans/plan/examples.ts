/** A plan of the demo data that members hold, for the examples. */
export const goldExample = { plan_id: 'slug:bakers-club' }

/** A plan of the demo data that is a draft. */
export const draftExample = { plan_id: 'slug:summer-school' }
