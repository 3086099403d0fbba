/** The largest value of an integer column. */
export const integerMax = 2_147_483_647;
