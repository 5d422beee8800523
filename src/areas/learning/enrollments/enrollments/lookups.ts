import * as queries from './queries.ts'

/** The enrollment of a member in a course. */
export const findEnrollment = queries.findEnrollment

/** The same, locked until the transaction ends. */
export const lockCourseEnrollment = queries.lockCourseEnrollment

/** An enrollment of a filter by its id. */
export const findEnrollmentIn = queries.findEnrollmentIn

/** The same, locked until the transaction ends. */
export const lockEnrollmentIn = queries.lockEnrollmentIn

/** The ids of the enrollments of members in courses, by the ids of both. */
export const listEnrollmentIds = queries.listEnrollmentIds

/** Whether a member is or was enrolled as a filter says. */
export const isStudent = queries.isStudent

/** Those of some members who are or were enrolled as a filter says. */
export const listStudentsAmong = queries.listStudentsAmong
