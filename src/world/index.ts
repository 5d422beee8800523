export { courses, createNamedCourses } from './courses.ts'
export { createNamedPeople, crumbAndCrust, people } from './named.ts'
export { createPerson, newPassword, type PersonPlan } from './people.ts'
export { createSchool, type SchoolPlan } from './school.ts'
