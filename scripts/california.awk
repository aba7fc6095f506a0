#!/usr/bin/awk -f
# SPDX-License-Identifier: MIT
# Prints California Housing as a table with its original columns. The input is either scikit-learn's table,
# which has means for each household and a header, or the original table, which has no header.

function plain(number) {
  if (number ~ /\./) {
    sub(/0+$/, "", number)
    sub(/\.$/, "", number)
  }
  return number
}

function rounded(number) { return sprintf("%d", number + 0.5) }

BEGIN {
  FS = ","
  OFS = ","
  print "longitude,latitude,housingMedianAge,totalRooms,totalBedrooms,population,households," \
        "medianIncome,medianHouseValue"
}

{ sub(/\r$/, "") }

NR == 1 && $0 == "MedInc,HouseAge,AveRooms,AveBedrms,Population,AveOccup,Latitude,Longitude,MedHouseVal" {
  means = 1
  next
}

NF != 9 || $0 ~ /[^-+.,eE0-9]/ {
  print "scripts/california.awk: line " NR " is not a row of 9 numbers." > "/dev/stderr"
  exit 1
}

means {
  households = rounded($5 / $6)
  print plain($8), plain($7), plain($2), rounded($3 * households), rounded($4 * households),
        plain($5), households, plain($1), rounded($9 * 100000)
  next
}

{
  for (i = 1; i <= NF; ++i) $i = plain($i)
  print
}
