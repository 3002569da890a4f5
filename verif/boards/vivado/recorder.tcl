# The Tcl side of the recorder: a slave interpreter in which every command of Vivado is a question to the process that
# started this one, and everything else that could reach outside is gone.
# SPDX-License-Identifier: Apache-2.0
#
# Requests come as lines "VERB TEXT" on stdin and end with "done TEXT" or "failed TEXT" on stdout; in between each
# command of Vivado is "call NAME ARGUMENT ..." there, and its answer "ok TEXT" or "error TEXT" on stdin. Each text is
# an x and the hexadecimal digits of its UTF-8.
#
#   command NAME   let the slave have this command        only NAMES    take every other command away from it
#   folder PATH    be in this folder                      run PATH      source this script
fconfigure stdin -encoding utf-8 -translation lf
fconfigure stdout -encoding utf-8 -translation lf -buffering line

proc hex {text} { return x[binary encode hex [encoding convertto utf-8 $text]] }
proc unhex {word} { encoding convertfrom utf-8 [binary decode hex [string range $word 1 end]] }

interp create box
foreach name {exec open socket load} { box hide $name }
box eval { unset -nocomplain ::env; array set ::env {} }

proc forward {name args} {
    puts "call [hex $name] [lmap word $args { hex $word }]"
    lassign [gets stdin] verdict text
    if {$verdict eq "ok"} { return [unhex $text] }
    return -code error [unhex $text]
}

# A script may read a file only by `source`, and each one is told to the recorder.
box hide source
proc sourced {path} {
    forward source $path
    box invokehidden source $path
}
box alias source sourced
proc said {args} { forward puts [lindex $args end] }
box alias puts said
box alias exit forward exit

# A name that nobody knows is an error in words.
proc nobody {name args} { error "there is no command '$name'" }
box alias unknown nobody

while {[gets stdin line] >= 0} {
    lassign $line verb text
    set text [unhex $text]
    set failed [catch {
        switch $verb {
            command { box alias $text forward $text }
            only {
                foreach name [box eval {info commands}] {
                    if {$name in $text} { continue }
                    if {$name in [box hidden]} { interp alias box $name {} } else { box hide $name }
                }
            }
            folder { cd $text }
            run { box invokehidden source $text }
        }
    } answer]
    if {$failed} { puts "failed [hex $answer]" } else { puts "done [hex $answer]" }
}
