/** The version of this package, as the record names it; a test holds it equal to package.json. */
export const version = "0.1.0";
